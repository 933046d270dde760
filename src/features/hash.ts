const text = new TextEncoder();

export function hex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** SHA-256 in hex: enough for what nobody can guess, and for telling whether something is the same. */
export async function hashOf(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? text.encode(content) : content;
  return hex(await crypto.subtle.digest('SHA-256', bytes));
}

async function mac(secret: string | ArrayBuffer, message: string): Promise<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? text.encode(secret) : secret;
  const use = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, use, false, ['sign']);
  return crypto.subtle.sign('HMAC', key, text.encode(message));
}

/** HMAC-SHA-256 in hex: whoever lacks the secret can neither make it nor tell what it was made from. */
export async function keyedHash(secret: string | ArrayBuffer, message: string): Promise<string> {
  return hex(await mac(secret, message));
}

/** A key of its own for one purpose: what is made with it is good for nothing else that the secret guards. */
export function ownKey(secret: string, purpose: string): Promise<ArrayBuffer> {
  return mac(secret, purpose);
}
