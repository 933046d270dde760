/**
 * Whether this browser has passkeys with the JSON methods of WebAuthn, as Chrome, Firefox and Safari have since March
 * 2025. Others are not offered passkeys.
 */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';
