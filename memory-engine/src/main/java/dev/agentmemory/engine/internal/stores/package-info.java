/// The stores of an engine, in the form of the storage engine that holds them.
@NullMarked
package dev.agentmemory.engine.internal.stores;

import org.jspecify.annotations.NullMarked;
