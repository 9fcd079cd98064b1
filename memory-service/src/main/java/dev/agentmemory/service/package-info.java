/// The gRPC handlers. A handler maps the request, calls the API and maps the response.
@NullMarked
package dev.agentmemory.service;

import org.jspecify.annotations.NullMarked;
