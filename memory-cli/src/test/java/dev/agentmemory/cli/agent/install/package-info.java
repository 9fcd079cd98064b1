@NullMarked
package dev.agentmemory.cli.agent.install;

import org.jspecify.annotations.NullMarked;
