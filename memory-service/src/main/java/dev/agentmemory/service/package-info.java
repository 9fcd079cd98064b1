/// gRPC handlers: map, call, map.
@NullMarked
package dev.agentmemory.service;

import org.jspecify.annotations.NullMarked;
