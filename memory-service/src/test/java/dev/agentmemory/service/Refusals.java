package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import dev.agentmemory.types.ErrorCode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Looks at how a call was refused.
record Refusals(Throwable failure) {

  static Refusals of(ThrowingCallable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(failure).as("the call should be refused").isNotNull();
    return new Refusals(failure);
  }

  Refusals is(Status.Code status, ErrorCode code) throws InvalidProtocolBufferException {
    assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(status);
    ErrorInfo info = detail(ErrorInfo.class).orElseThrow();
    assertThat(info.getReason()).isEqualTo(code.name());
    assertThat(info.getDomain()).isEqualTo("agent-memory");
    return this;
  }

  Refusals names(String field) throws InvalidProtocolBufferException {
    BadRequest request = detail(BadRequest.class).orElseThrow();
    assertThat(request.getFieldViolations(0).getField()).isEqualTo(field);
    assertThat(request.getFieldViolations(0).getDescription()).isNotEmpty().doesNotStartWith(field);
    return this;
  }

  void says(String text) {
    assertThat(Status.fromThrowable(failure).getDescription()).contains(text);
  }

  void saysNothingOf(String text) {
    assertThat(Objects.requireNonNull(StatusProto.fromThrowable(failure)).toString())
        .doesNotContain(text);
  }

  <T extends Message> Optional<T> detail(Class<T> type) throws InvalidProtocolBufferException {
    var status = Objects.requireNonNull(StatusProto.fromThrowable(failure), "no details");
    for (Any detail : status.getDetailsList()) {
      if (detail.is(type)) {
        return Optional.of(detail.unpack(type));
      }
    }
    return Optional.empty();
  }
}
