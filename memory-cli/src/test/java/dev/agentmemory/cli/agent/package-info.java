@NullMarked
package dev.agentmemory.cli.agent;

import org.jspecify.annotations.NullMarked;
