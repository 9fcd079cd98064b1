package dev.agentmemory.gateway.http;

/// What the server demands of a request before its route is called. Host and origin are checked
/// before, for every route.
public enum Admission {
  /// A token, or a key of the console.
  TOKEN,
  /// Nothing more: the route has no data.
  PUBLIC,
  /// Nothing more, and a page without an origin may post to it, such as a file: the route demands a
  /// secret of its own.
  SECRET
}
