const encoder = new TextEncoder();

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Computes SHA-256 in hexadecimal, for content addresses and for secrets with enough entropy. */
export async function computeHash(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  return toHex(await crypto.subtle.digest('SHA-256', bytes));
}

async function computeMac(secret: string | ArrayBuffer, message: string): Promise<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? encoder.encode(secret) : secret;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  return crypto.subtle.sign('HMAC', key, encoder.encode(message));
}

/** Computes HMAC-SHA-256 in hexadecimal. */
export async function computeKeyedHash(secret: string | ArrayBuffer, message: string): Promise<string> {
  return toHex(await computeMac(secret, message));
}

/** Derives a key for one purpose, so that its signatures are valid for no other. */
export function deriveKey(secret: string, purpose: string): Promise<ArrayBuffer> {
  return computeMac(secret, purpose);
}
