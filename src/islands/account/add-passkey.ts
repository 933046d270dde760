import type { NewCredential, Passkey } from '../../features/account/passkey/passkey-contract.ts';
import type { Result } from '../shared/api.ts';
import { toPasskeyFailure } from '../sign-in/passkey-failure.ts';
import { passkeysApi } from './passkeys-api.ts';

/** Creates a passkey on a device that the user chooses, and adds it to the account. */
export async function addPasskey(name: string): Promise<Result<Passkey>> {
  const options = await passkeysApi.options();
  if (!options.ok) return options;
  let credential: NewCredential;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options.data as PublicKeyCredentialCreationOptionsJSON,
    );
    const created = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    credential = created.toJSON() as unknown as NewCredential;
  } catch (error) {
    return toPasskeyFailure(error);
  }
  const added = await passkeysApi.add(name, credential);
  // The text of `invalid_passkey` is about logging in.
  return !added.ok && added.code === 'invalid_passkey' ? { ...added, code: 'passkey_failed' } : added;
}
