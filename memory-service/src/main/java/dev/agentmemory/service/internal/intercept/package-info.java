/// What happens to every call before its method: token, fields that are unknown, errors.
@NullMarked
package dev.agentmemory.service.internal.intercept;

import org.jspecify.annotations.NullMarked;
