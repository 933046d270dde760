/** An amount in the smallest unit of its currency. PayPal sends decimal strings, rarely numbers. */
export interface Money {
  cents: number;
  currency: string;
}

/** PayPal allows no decimals for these currencies. */
const ZERO_DECIMAL_CURRENCIES = new Set(['HUF', 'JPY', 'TWD']);
/** This many digits are exact as a number and exceed any payment. */
const AMOUNT = /^(\d{0,12})(?:\.(\d{1,12}))?$/;

/**
 * Parses an amount into the smallest unit, exactly and without floating point arithmetic.
 * @param value in PayPal's form, such as `6.99`
 * @returns null for an invalid or negative amount, or for more decimals than the currency has
 */
export function parseCents(value: unknown, currency: unknown): number | null {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null;
  // Read a number by its decimal digits.
  const decimalText = typeof value === 'number' ? String(value) : value;
  if (typeof decimalText !== 'string') return null;
  const [, whole, fraction = ''] = AMOUNT.exec(decimalText) ?? [];
  if (whole === undefined || whole + fraction === '') return null;
  const digits = ZERO_DECIMAL_CURRENCIES.has(currency) ? 0 : 2;
  if (/[1-9]/.test(fraction.slice(digits))) return null;
  return Number(`0${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
}

/** Parses an amount object of PayPal's newer (`value`, `currency_code`) or older APIs (`total`, `currency`). */
export function parseMoney(amount: unknown): Money | null {
  if (typeof amount !== 'object' || amount === null) return null;
  const fields = amount as Record<string, unknown>;
  const currency = fields.currency_code ?? fields.currency;
  const cents = parseCents(fields.value ?? fields.total, currency);
  return cents === null ? null : { cents, currency: currency as string };
}
