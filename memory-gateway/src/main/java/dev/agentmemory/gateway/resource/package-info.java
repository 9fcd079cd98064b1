/// `/api/v1`: the calls of the API as resources, by one table of operations.
@NullMarked
package dev.agentmemory.gateway.resource;

import org.jspecify.annotations.NullMarked;
