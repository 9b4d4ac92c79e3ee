import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';

/** Data that Google attached to a block and wants back unchanged. */
export interface VendorData {
  /** The `thoughtSignature` of the part. */
  readonly signature?: string;
  /** The id Google gave a call; absent where the id is ours. */
  readonly callId?: string;
  /** A thinking block that only carries the signature of an empty text part. */
  readonly isText?: boolean;
}

/** The data as kept in a block; undefined where there is nothing to keep. */
export function writeVendorData(data: VendorData): JsonObject | undefined {
  return Object.keys(data).length === 0 ? undefined : { ...data };
}

/** Reads a block's data; what is not ours counts as absent. */
export function readVendorData(value: JsonValue | undefined): VendorData {
  if (!isJsonObject(value)) return {};
  const { signature, callId, isText } = value;
  return {
    ...(typeof signature === 'string' ? { signature } : {}),
    ...(typeof callId === 'string' ? { callId } : {}),
    ...(isText === true ? { isText } : {}),
  };
}
