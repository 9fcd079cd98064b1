@NullMarked
package dev.agentmemory.service;

import org.jspecify.annotations.NullMarked;
