/// What memory told sessions, and whether they have used it.
@NullMarked
package dev.agentmemory.recall.injection;

import org.jspecify.annotations.NullMarked;
