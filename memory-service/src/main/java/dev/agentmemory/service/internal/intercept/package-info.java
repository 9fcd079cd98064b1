/// Interceptors of all calls: token, malformed requests, errors.
@NullMarked
package dev.agentmemory.service.internal.intercept;

import org.jspecify.annotations.NullMarked;
