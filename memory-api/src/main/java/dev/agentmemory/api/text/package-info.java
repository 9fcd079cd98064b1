/// Bounds of the texts of requests.
@NullMarked
package dev.agentmemory.api.text;

import org.jspecify.annotations.NullMarked;
