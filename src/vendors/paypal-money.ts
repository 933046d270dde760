/**
 * PayPal writes amounts as decimal texts, seldom as numbers, beside their currency; here they are whole numbers of its
 * smallest part.
 */
export interface Money {
  cents: number;
  currency: string;
}

/** Of these PayPal takes whole ones only. */
const ZERO_DECIMAL_CURRENCIES = new Set(['HUF', 'JPY', 'TWD']);
/** So many digits are exact as a number, and more than anybody pays. */
const AMOUNT = /^(\d{0,12})(?:\.(\d{1,12}))?$/;

/**
 * An amount as a whole number, exactly: no fraction goes through a floating point.
 * @param value as PayPal writes it, such as `6.99`
 * @returns null for whatever is not an amount in such a currency, below nothing or of parts that it does not have
 */
export function parseCents(value: unknown, currency: unknown): number | null {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null;
  // A number is read as the decimals that it is written with.
  const decimalText = typeof value === 'number' ? String(value) : value;
  if (typeof decimalText !== 'string') return null;
  const [, whole, fraction = ''] = AMOUNT.exec(decimalText) ?? [];
  if (whole === undefined || whole + fraction === '') return null;
  const digits = ZERO_DECIMAL_CURRENCIES.has(currency) ? 0 : 2;
  if (/[1-9]/.test(fraction.slice(digits))) return null;
  return Number(`0${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
}

/** The same of an amount as the newer (`value`, `currency_code`) and the older (`total`, `currency`) parts of it tell. */
export function parseMoney(amount: unknown): Money | null {
  if (typeof amount !== 'object' || amount === null) return null;
  const fields = amount as Record<string, unknown>;
  const currency = fields.currency_code ?? fields.currency;
  const cents = parseCents(fields.value ?? fields.total, currency);
  return cents === null ? null : { cents, currency: currency as string };
}
