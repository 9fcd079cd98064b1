/// What an engine is told.
@NullMarked
package dev.agentmemory.engine.config;

import org.jspecify.annotations.NullMarked;
