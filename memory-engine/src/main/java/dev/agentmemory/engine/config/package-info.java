/// The settings of an engine.
@NullMarked
package dev.agentmemory.engine.config;

import org.jspecify.annotations.NullMarked;
