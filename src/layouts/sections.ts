/** Entries of the shell's navigation. */
export type Section = 'home' | 'discover' | 'characters' | 'personas' | 'competition' | 'membership';
