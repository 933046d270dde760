/** A passkey whose device is software: WebCrypto's P-256, and as much CBOR and DER as WebAuthn needs. */

const encoder = new TextEncoder();

export const encodeBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

/** Encodes a major type with its argument, which is below 65,536 here. */
function encodeHead(major: number, argument: number): number[] {
  const type = major << 5;
  if (argument < 24) return [type | argument];
  return argument < 256 ? [type | 24, argument] : [type | 25, argument >> 8, argument & 255];
}

function encodeCbor(value: Cbor): number[] {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string') {
    const bytes = encoder.encode(value);
    return [...encodeHead(3, bytes.length), ...bytes];
  }
  if (value instanceof Uint8Array) return [...encodeHead(2, value.length), ...value];
  return [
    ...encodeHead(5, value.size),
    ...[...value].flatMap(([key, one]) => [...encodeCbor(key), ...encodeCbor(one)]),
  ];
}

/** Encodes half of a signature as a DER integer: without leading zeros, and positive. */
function encodeInteger(half: Uint8Array): number[] {
  const digits = [...half.subarray(half.findIndex((byte) => byte !== 0))];
  const positive = (digits[0] ?? 0) > 127 ? [0, ...digits] : digits;
  return [2, positive.length, ...positive];
}

function toDer(signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const body = [...encodeInteger(signature.subarray(0, 32)), ...encodeInteger(signature.subarray(32))];
  return Uint8Array.from([48, body.length, ...body]);
}

const hash = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const IS_PRESENT = 1;
const IS_VERIFIED = 4;
const HAS_KEY = 64;

/** What a device says; defaults are those of an honest one. */
export interface Claims {
  origin: string;
  host: string;
  challenge: string;
  isVerified?: boolean;
  signCount?: number;
}

export class SoftwarePasskey {
  readonly id: string;
  readonly #rawId: Uint8Array;
  readonly #keys: CryptoKeyPair;

  private constructor(rawId: Uint8Array, keys: CryptoKeyPair) {
    this.id = encodeBase64Url(rawId);
    this.#rawId = rawId;
    this.#keys = keys;
  }

  static async create(): Promise<SoftwarePasskey> {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ]);
    return new SoftwarePasskey(crypto.getRandomValues(new Uint8Array(32)), keys as CryptoKeyPair);
  }

  /** Returns the answer to `navigator.credentials.create`, as JSON. */
  async register(claims: Claims) {
    const key = await this.#encodePublicKey();
    const aaguid = Array.from({ length: 16 }, () => 0);
    const attested = [...aaguid, 0, this.#rawId.length, ...this.#rawId, ...key];
    const authData = await this.#buildAuthData(claims, HAS_KEY, attested);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#wrap({
      clientDataJSON: encodeBase64Url(this.#buildClientData('webauthn.create', claims)),
      attestationObject: encodeBase64Url(Uint8Array.from(encodeCbor(attestation))),
      transports: ['internal'],
    });
  }

  /** Returns the answer to `navigator.credentials.get`, as JSON. @param userId the id that the device keeps with the passkey */
  async logIn(claims: Claims, userId: string) {
    const authenticatorData = await this.#buildAuthData(claims, 0, []);
    const clientData = this.#buildClientData('webauthn.get', claims);
    const signed = Uint8Array.from([...authenticatorData, ...(await hash(clientData))]);
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, this.#keys.privateKey, signed));
    return this.#wrap({
      clientDataJSON: encodeBase64Url(clientData),
      authenticatorData: encodeBase64Url(authenticatorData),
      signature: encodeBase64Url(toDer(signature)),
      userHandle: encodeBase64Url(encoder.encode(userId)),
    });
  }

  #wrap<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, response, clientExtensionResults: {} };
  }

  #buildClientData(type: string, { challenge, origin }: Claims): Uint8Array<ArrayBuffer> {
    return encoder.encode(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  async #buildAuthData({ host, isVerified = true, signCount = 0 }: Claims, flags: number, rest: number[]) {
    const all = IS_PRESENT | (isVerified ? IS_VERIFIED : 0) | flags;
    const count = [24, 16, 8, 0].map((shift) => (signCount >> shift) & 255);
    return Uint8Array.from([...(await hash(encoder.encode(host))), all, ...count, ...rest]);
  }

  /** COSE: a key of two coordinates (1: 2) for ES256 (3: -7) on P-256 (-1: 1). */
  async #encodePublicKey(): Promise<number[]> {
    const raw = (await crypto.subtle.exportKey('raw', this.#keys.publicKey)) as ArrayBuffer;
    return encodeCbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(raw.slice(1, 33))],
        [-3, new Uint8Array(raw.slice(33))],
      ]),
    );
  }
}
