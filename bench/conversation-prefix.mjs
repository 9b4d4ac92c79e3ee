/**
 * Counts the requests that do not continue the one before them byte for byte: the same system prompt and tools, and all
 * earlier messages unchanged. Cache marks are left out of account, because they have to move with the conversation.
 * @param {readonly string[]} bodies Requests to the Messages API in the order they were sent.
 */
export function countBrokenPrefixes(bodies) {
  const requests = bodies.map((body) => {
    const { messages, ...fixed } = JSON.parse(body, withoutCacheMark);
    return {
      fixed: JSON.stringify(fixed),
      messages: messages.map((/** @type {unknown} */ one) => JSON.stringify(one)),
    };
  });
  return requests.slice(1).filter((request, index) => !continues(request, requests[index])).length;
}

/** @typedef {{ fixed: string, messages: string[] }} Request */

function continues(/** @type {Request} */ request, /** @type {Request | undefined} */ earlier) {
  if (!earlier || request.fixed !== earlier.fixed) return false;
  return earlier.messages.every((message, index) => message === request.messages[index]);
}

function withoutCacheMark(/** @type {string} */ key, /** @type {unknown} */ value) {
  return key === 'cache_control' ? undefined : value;
}
