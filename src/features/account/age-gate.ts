/** The site's conditions for showing adult content. */
export interface AgeGateRules {
  /** `off`: the site has no adult content. */
  spicyMode: 'on' | 'off';
  /** `required`: a user's own declaration is not enough. */
  ageCheck: { mode: 'declared' | 'required' };
}

/** The stored state of an account, which may have been written under other rules. */
export interface AgeRecord {
  isAnonymous: boolean;
  spicyMode: boolean;
  /** By the user's declaration or by a check. */
  ageConfirmed: boolean;
  /** When a check found the user to be an adult, in ms; null without such a check. */
  ageCheckedAt: number | null;
}

/**
 * Whether the user's age counts as confirmed under the site's rules, and whether spicy mode is on. Both are false for
 * guests.
 */
export function getAgeGateFlags(
  { isAnonymous, spicyMode, ageConfirmed, ageCheckedAt }: AgeRecord,
  rules: AgeGateRules,
): { spicy_mode: boolean; age_confirmed: boolean } {
  const isAdult =
    rules.spicyMode === 'on' &&
    !isAnonymous &&
    ageConfirmed &&
    (rules.ageCheck.mode === 'declared' || ageCheckedAt !== null);
  return { spicy_mode: isAdult && spicyMode, age_confirmed: isAdult };
}
