/// What memory told sessions of its own accord, and whether they have used it.
@NullMarked
package dev.agentmemory.api.injection;

import org.jspecify.annotations.NullMarked;
