/// What is measured of all workspaces of an engine.
@NullMarked
package dev.agentmemory.engine.internal.measure;

import org.jspecify.annotations.NullMarked;
