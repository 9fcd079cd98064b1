@NullMarked
package dev.agentmemory.client;

import org.jspecify.annotations.NullMarked;
