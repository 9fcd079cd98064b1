package dev.agentmemory.client.internal.http2;

/// A header of HTTP/2: a name in lower case and a value.
record HeaderField(String name, String value) {}
