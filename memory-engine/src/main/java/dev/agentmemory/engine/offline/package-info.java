/// What commands do with the stores of a data directory while no daemon has them open.
@NullMarked
package dev.agentmemory.engine.offline;

import org.jspecify.annotations.NullMarked;
