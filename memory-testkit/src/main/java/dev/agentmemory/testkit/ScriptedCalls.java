package dev.agentmemory.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Interfaces whose answers a test provides, and a record of the calls. For tests of code that only
/// passes calls on: handlers, clients and commands. What a call does is tested with the real
/// implementation.
///
/// Methods are named `Interface.method`. A method without arguments that returns another interface
/// of this program returns one that belongs to the same script. Any other call without an answer
/// fails.
public final class ScriptedCalls {

  private static final String OWN = "dev.agentmemory.";

  private final Map<String, Function<List<Object>, @Nullable Object>> answers =
      new ConcurrentHashMap<>();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

  /// A call that was made.
  ///
  /// @param method `Interface.method`
  public record Call(String method, List<Object> arguments) {

    public Call {
      arguments = List.copyOf(arguments);
    }

    public static Call of(String method, Object... arguments) {
      return new Call(method, List.of(arguments));
    }
  }

  /// Implements an interface.
  public <T> T of(Class<T> type) {
    InvocationHandler handler = (self, method, arguments) -> invoked(type, self, method, arguments);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /// What a method returns from now on.
  public ScriptedCalls answer(String method, Object answer) {
    return answer(method, _ -> answer);
  }

  /// What a method returns from now on, for its arguments; the function may throw.
  public ScriptedCalls answer(String method, Function<List<Object>, @Nullable Object> answer) {
    answers.put(method, answer);
    return this;
  }

  /// The calls so far, in order, without those that return another interface.
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /// The latest of them.
  public Call last() {
    return calls().getLast();
  }

  private @Nullable Object invoked(
      Class<?> type, Object self, Method method, Object @Nullable [] arguments) throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      throw new AssertionError(method + " is not scripted");
    }
    String name = type.getSimpleName() + "." + method.getName();
    List<Object> given = arguments == null ? List.of() : List.of(arguments);
    Function<List<Object>, @Nullable Object> answer = answers.get(name);
    if (answer != null) {
      calls.add(new Call(name, given));
      return answer.apply(given);
    }
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(self, method, arguments);
    }
    Class<?> result = method.getReturnType();
    if (given.isEmpty() && result.isInterface() && result.getName().startsWith(OWN)) {
      return of(result);
    }
    throw new AssertionError("there is no answer for " + name + given);
  }
}
