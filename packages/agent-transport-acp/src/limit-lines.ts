/** Replaces a line that is too long: a request of this name, with the id of the dropped one. */
export const tooLongMethod = 'robota/too_long';

/** The id of a request stands near the beginning of its line. */
const headBytes = 512;
const lineFeed = 10;

/** Lets the lines of an editor through, whole; one that is longer than `most` bytes would end the whole connection. */
export function limitLines(most: number): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  const hold = (bytes: Uint8Array) => {
    length += bytes.byteLength;
    if (length <= most) held.push(bytes);
    else held = [joined(held, bytes).slice(0, headBytes)];
  };
  const take = (): Uint8Array => {
    const line = length <= most ? joined(held) : replacement(joined(held));
    held = [];
    length = 0;
    return line;
  };
  return new TransformStream({
    transform(chunk, controller) {
      let from = 0;
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
        hold(chunk.subarray(from, at));
        controller.enqueue(joined([take()], Uint8Array.of(lineFeed)));
        from = at + 1;
      }
      if (from < chunk.byteLength) hold(chunk.subarray(from));
    },
    flush(controller) {
      if (length > 0) controller.enqueue(take());
    },
  });
}

function joined(parts: readonly Uint8Array[], ...more: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([...parts, ...more]);
}

/** Without an id, the answer is that to invalid JSON. */
function replacement(head: Uint8Array): Uint8Array {
  const id = /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"]*"\s*,)*\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*,/.exec(
    Buffer.from(head).toString(),
  )?.[1];
  return Buffer.from(
    id === undefined ? 'too long' : `{"jsonrpc":"2.0","id":${id},"method":"${tooLongMethod}"}`,
  );
}
