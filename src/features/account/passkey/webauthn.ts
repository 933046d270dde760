import { BRAND } from '../../../config/brand.ts';
import { PASSKEY } from '../limits.ts';
import { type ChallengeScope, type ValidChallenge, verifyChallenge } from './passkey-challenge.ts';
import type { NewCredential, UsedCredential } from './passkey-contract.ts';

/*
 * SimpleWebAuthn is used in this file only. It is large and rarely needed, so each function imports it when it is
 * called.
 */

/** The site that passkeys are bound to. */
export interface PasskeySite {
  /** WebAuthn's relying party id. */
  host: string;
  origin: string;
}

/** A passkey with what verifies its signatures. */
export interface StoredKey {
  credentialId: string;
  /** COSE key, as base64url. */
  publicKey: string;
  transports: string[];
}

const importLibrary = () => import('@simplewebauthn/server');

/** EdDSA, ECDSA with P-256, and RSA for Windows: what all authenticators have at least one of. */
const ALGORITHMS = [-8, -7, -257];

/** Options for creating a passkey that works without a user name and that its device unlocks by PIN or biometrics. */
export async function createRegistrationOptions(
  site: PasskeySite,
  input: {
    challenge: string;
    user: { id: string; name: string; displayName: string };
    /** Passkeys of the account: a device that has one creates no second. */
    known: readonly StoredKey[];
  },
) {
  const { generateRegistrationOptions } = await importLibrary();
  return generateRegistrationOptions({
    rpName: BRAND.name,
    rpID: site.host,
    userID: new TextEncoder().encode(input.user.id),
    userName: input.user.name,
    userDisplayName: input.user.displayName,
    challenge: input.challenge,
    timeout: PASSKEY.challengeLifetimeMs,
    attestationType: 'none',
    excludeCredentials: input.known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Options for logging in with any passkey of this site. */
export async function createLoginOptions(site: PasskeySite, challenge: string) {
  const { generateAuthenticationOptions } = await importLibrary();
  return generateAuthenticationOptions({
    rpID: site.host,
    challenge,
    timeout: PASSKEY.challengeLifetimeMs,
    userVerification: 'required',
  });
}

/** What a device answered, and what its challenge must have been made for. */
interface Answer<Credential> {
  credential: Credential;
  scope: ChallengeScope;
  now: number;
}

/** Checks the challenge that the library finds in the client data, and keeps it. */
function createChallengeCheck({ scope, now }: Answer<unknown>) {
  const found: { challenge: ValidChallenge | null } = { challenge: null };
  const isExpected = async (encoded: string): Promise<boolean> => {
    found.challenge = await verifyChallenge(scope, encoded, now);
    return found.challenge !== null;
  };
  return { found, isExpected };
}

/**
 * Verifies a new passkey: its challenge, origin and host, and that its device verified the user.
 * @returns null when it is refused
 */
export async function verifyRegistration(
  site: PasskeySite,
  answer: Answer<NewCredential>,
): Promise<{ key: StoredKey & { signCount: number }; challenge: ValidChallenge } | null> {
  const { verifyRegistrationResponse } = await importLibrary();
  const { credential } = answer;
  const { found, isExpected } = createChallengeCheck(answer);
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} } as Parameters<
        typeof verifyRegistrationResponse
      >[0]['response'],
      expectedChallenge: isExpected,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo === undefined || found.challenge === null) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    const key = {
      credentialId: id,
      publicKey: toBase64Url(publicKey),
      signCount: counter,
      transports: credential.response.transports ?? [],
    };
    return { key, challenge: found.challenge };
  } catch {
    // The library throws for everything that does not fit.
    return null;
  }
}

/**
 * Verifies a login: signature, challenge, origin and host, and that the device verified the user. The caller compares the
 * counter.
 * @returns the device's counter of signatures; null when the login is refused
 */
export async function verifyLogin(
  site: PasskeySite,
  key: StoredKey,
  answer: Answer<UsedCredential>,
): Promise<{ signCount: number; challenge: ValidChallenge } | null> {
  const { verifyAuthenticationResponse } = await importLibrary();
  const { found, isExpected } = createChallengeCheck(answer);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer.credential, clientExtensionResults: {} } as Parameters<
        typeof verifyAuthenticationResponse
      >[0]['response'],
      expectedChallenge: isExpected,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      // Zero accepts every counter here: `recordPasskeyUse` compares it in the statement that stores it.
      credential: { id: key.credentialId, publicKey: fromBase64Url(key.publicKey), counter: 0 },
    });
    if (!verified || found.challenge === null) return null;
    return { signCount: authenticationInfo.newCounter, challenge: found.challenge };
  } catch {
    return null;
  }
}

/** Returns the user id that a device keeps with a passkey; null when it keeps none, and for bytes that are no id. */
export function decodeUserHandle(handle: string | null | undefined): string | null {
  if (handle == null || handle === '') return null;
  try {
    return new TextDecoder().decode(fromBase64Url(handle));
  } catch {
    return null;
  }
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
