/// How clients share what serves their calls.
@NullMarked
package dev.agentmemory.service.internal.share;

import org.jspecify.annotations.NullMarked;
