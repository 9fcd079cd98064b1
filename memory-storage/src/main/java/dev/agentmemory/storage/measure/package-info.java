/// What is measured of all stores of a process.
@NullMarked
package dev.agentmemory.storage.measure;

import org.jspecify.annotations.NullMarked;
