/** What a site asks of people before anything for adults is shown to them. */
export interface AgeGateRules {
  /** `off`: there is nothing for adults on this site. */
  spicyMode: 'on' | 'off';
  /** `required`: people's own word is not enough. */
  ageCheck: { mode: 'declared' | 'required' };
}

/** What an account holds of it, whatever the site's rules were when it was written. */
export interface AgeRecord {
  isAnonymous: boolean;
  spicyMode: boolean;
  /** By the person's word or by a check. */
  ageConfirmed: boolean;
  /** When a check found them to be an adult, in ms; null while none has. */
  ageCheckedAt: number | null;
}

/** Whether somebody's age counts as confirmed here, and with it their spicy mode as on. A guest has neither. */
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
