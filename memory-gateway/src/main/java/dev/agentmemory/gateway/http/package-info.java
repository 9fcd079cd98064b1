/// What the HTTP server passes to a route and takes back, and the checks and limits before that.
@NullMarked
package dev.agentmemory.gateway.http;

import org.jspecify.annotations.NullMarked;
