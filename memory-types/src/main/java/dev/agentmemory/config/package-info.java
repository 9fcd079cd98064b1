/// How a setting is declared and read. The records that use settings declare them; memory-daemon
/// reads their values from files, the environment and the command line.
@NullMarked
package dev.agentmemory.config;

import org.jspecify.annotations.NullMarked;
