/** The only constant that names the product. `modelValue` is the id of its own model. */
export const BRAND = { name: 'Loreloom', modelValue: 'loreloom' } as const;
