import { z } from 'zod';
import { createNameSchema } from '../../../lib/text-schemas.ts';
import { PASSKEY } from '../limits.ts';

/** Far above what authenticators send without attestation, also with a large RSA or ML-DSA key. */
const MAX_PART_CHARS = 16_384;
/** Credential ids have at most 1,023 bytes (WebAuthn, section 4). */
const MAX_CREDENTIAL_ID_CHARS = 1400;
const MAX_TRANSPORTS = 10;

const base64Url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'Not base64url');
const credentialId = base64Url(MAX_CREDENTIAL_ID_CHARS);
const part = base64Url(MAX_PART_CHARS);

/** The parts of every credential; browsers add more over time, so other fields are ignored. */
const credentialShape = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** `RegistrationResponseJSON` of WebAuthn, as a credential's `toJSON` returns it. */
export const newCredential = z.looseObject({
  ...credentialShape,
  response: z.looseObject({
    clientDataJSON: part,
    attestationObject: part,
    transports: z.array(z.string().max(30)).max(MAX_TRANSPORTS).optional(),
  }),
});
export type NewCredential = z.infer<typeof newCredential>;

/** `AuthenticationResponseJSON` of WebAuthn. */
export const usedCredential = z.looseObject({
  ...credentialShape,
  response: z.looseObject({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: z.string().max(100).nullish(),
  }),
});
export type UsedCredential = z.infer<typeof usedCredential>;

const passkeyName = createNameSchema(PASSKEY.maxNameChars, { missing: 'A passkey needs a name' });

export const passkeyBody = z.strictObject({ name: passkeyName, credential: newCredential });
export const passkeyChange = z.strictObject({ name: passkeyName });
export const loginWithPasskeyBody = z.strictObject({ credential: usedCredential });

const options = z.object({
  challenge: z.string().describe('Valid once, for five minutes'),
  timeout: z.number().optional(),
});
/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn, for `parseCreationOptionsFromJSON`. */
export const registrationOptions = options.extend({
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
});
/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, for `parseRequestOptionsFromJSON`. */
export const loginOptions = options.extend({ rpId: z.string().optional() });

/** A passkey as its owner sees it. */
export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string().describe('The only host on which browsers can use it'),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
export type Passkey = z.infer<typeof passkey>;

export const passkeyList = z.object({ items: z.array(passkey), limit: z.number().int() });
export type PasskeyList = z.infer<typeof passkeyList>;
