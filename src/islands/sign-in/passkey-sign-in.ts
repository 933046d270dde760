import type { UsedCredential } from '../../features/account/passkey/passkey-contract.ts';
import { client, readJson, type Result } from '../shared/api.ts';
import { acquireLoginLock } from '../shared/device-session/login-lock.ts';
import { toPasskeyFailure } from './passkey-failure.ts';

/** Lets the user choose a passkey of this site and signs in with it. */
export async function signInWithPasskey(): Promise<Result<unknown>> {
  const options = await readJson(client.auth['passkey-options'].$post());
  if (!options.ok) return options;
  let credential: UsedCredential;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      options.data as PublicKeyCredentialRequestOptionsJSON,
    );
    const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    credential = used.toJSON() as unknown as UsedCredential;
  } catch (error) {
    return toPasskeyFailure(error);
  }
  return acquireLoginLock(() => readJson(client.auth['login-with-passkey'].$post({ json: { credential } })));
}
