import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** A key with its self-signed certificate. */
export interface CertifiedKey {
  privateKey: KeyObject;
  /** X.509, as PEM. */
  certificate: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;

/** Encodes one ASN.1 value as DER. */
function encodeDer(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

/** `sha256WithRSAEncryption`. */
const ALGORITHM = encodeDer(SEQUENCE, Buffer.from('06092a864886f70d01010b0500', 'hex'));

/** An X.509 name with a common name only. */
const encodeCommonName = (name: string): Buffer =>
  encodeDer(
    SEQUENCE,
    encodeDer(
      SET,
      encodeDer(SEQUENCE, Buffer.from('0603550403', 'hex'), encodeDer(UTF8, Buffer.from(name, 'utf8'))),
    ),
  );

const encodeUtcTime = (at: number): Buffer => {
  const [year = '', ...rest] = new Date(at).toISOString().slice(2, 19).split(/\D/);
  return encodeDer(UTC_TIME, Buffer.from(`${year}${rest.join('')}Z`, 'ascii'));
};

const DAY_MS = 86_400_000;

/** Creates an RSA key with a self-signed certificate for this name. */
export function createCertifiedKey(name: string): CertifiedKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const now = Date.now();
  const serial = randomBytes(8);
  // A serial number must not be negative.
  serial[0] = 1;
  const body = encodeDer(
    SEQUENCE,
    encodeDer(INTEGER, serial),
    ALGORITHM,
    encodeCommonName(name),
    encodeDer(SEQUENCE, encodeUtcTime(now - DAY_MS), encodeUtcTime(now + 365 * DAY_MS)),
    encodeCommonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const whole = encodeDer(SEQUENCE, body, ALGORITHM, encodeDer(BIT_STRING, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    privateKey,
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
