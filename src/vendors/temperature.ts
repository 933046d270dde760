/**
 * The range of temperatures that a provider takes where it is smaller than the usual one. Outside of it
 * the provider refuses the request.
 */
const RANGES: Record<string, { min: number; max: number }> = {
  'api.moonshot.ai': { min: 0, max: 1 },
  'api.moonshot.cn': { min: 0, max: 1 },
  'api.minimax.io': { min: 0.01, max: 1 },
  'api.minimaxi.com': { min: 0.01, max: 1 },
  'api.mistral.ai': { min: 0, max: 1.5 },
};

/** Returns the nearest temperature that the provider takes. */
export function limitTemperature(baseUrl: string, temperature: number): number {
  const { min, max } = RANGES[URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''] ?? { min: 0, max: 2 };
  return Math.min(Math.max(temperature, min), max);
}
