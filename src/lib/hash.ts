const text = new TextEncoder();

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Computes SHA-256 in hexadecimal: for content addresses and for secrets with enough entropy. */
export async function computeHash(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? text.encode(content) : content;
  return toHex(await crypto.subtle.digest('SHA-256', bytes));
}

async function mac(secret: string | ArrayBuffer, message: string): Promise<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? text.encode(secret) : secret;
  const use = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, use, false, ['sign']);
  return crypto.subtle.sign('HMAC', key, text.encode(message));
}

/** Computes HMAC-SHA-256 in hexadecimal. */
export async function computeKeyedHash(secret: string | ArrayBuffer, message: string): Promise<string> {
  return toHex(await mac(secret, message));
}

/** Derives a key for one purpose, so that its signatures are valid for no other. */
export function deriveKey(secret: string, purpose: string): Promise<ArrayBuffer> {
  return mac(secret, purpose);
}
