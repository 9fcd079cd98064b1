@NullMarked
package dev.agentmemory.daemon.config;

import org.jspecify.annotations.NullMarked;
