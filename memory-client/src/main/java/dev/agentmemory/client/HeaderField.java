package dev.agentmemory.client;

/// A header of HTTP/2: a name in lower case and a value.
record HeaderField(String name, String value) {}
