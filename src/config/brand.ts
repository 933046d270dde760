/**
 * The product's name and every number of the business: one place, typed, with units in the names. Longer than a file
 * should be, because it is a table: who looks for a limit looks here, and nothing in it depends on anything else.
 */

/** The one constant that names the product. */
export const BRAND = { name: 'Loreloom', modelValue: 'loreloom' } as const;
