import { randomBytes } from 'node:crypto';

/** A PayPal seller's catalogue. */
export interface PayPalCatalogue {
  products: Map<string, Record<string, unknown>>;
  plans: Map<string, Record<string, unknown>>;
  webhooks: Map<string, { id: string; url: string; event_types: { name: string }[] }>;
  /** The changes in order. */
  changes: string[];
  /** The answer to the next such call is lost, although the call is executed. */
  dropsResponseTo: string | null;
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  /** PayPal repeats its first answer for calls with the same request id. */
  requestId: string | undefined;
}
export type CatalogueResponse = { status: number; body: unknown } | 'lost';

const createErrorResponse = (status: number, name: string, issue: string): CatalogueResponse => ({
  status,
  body: { name, message: 'As the documentation has it.', debug_id: 'b1f5', details: [{ issue }] },
});

/** A list row, in which PayPal leaves out a plan's price. */
const toListRow = ({ id, product_id, name, status }: Record<string, unknown>) => ({
  id,
  product_id,
  name,
  status,
  usage_type: 'LICENSED',
});

/** The products, plans and webhooks of PayPal's REST API, as `npm run setup:paypal` uses them. */
export function createPayPalCatalogue(): {
  shop: PayPalCatalogue;
  /** @returns null if the call is not about the catalogue */
  answer(call: Call): CatalogueResponse | null;
} {
  const shop: PayPalCatalogue = {
    products: new Map(),
    plans: new Map(),
    webhooks: new Map(),
    changes: [],
    dropsResponseTo: null,
  };
  const answered = new Map<string, CatalogueResponse>();

  function make(call: Call): CatalogueResponse {
    const told = JSON.parse(call.body) as Record<string, unknown>;
    if (call.path === '/v1/catalogs/products') {
      const id = (told.id as string | undefined) ?? `PROD-${randomBytes(8).toString('hex').toUpperCase()}`;
      if (!/^.{6,50}$/.test(id) || typeof told.name !== 'string')
        return createErrorResponse(400, 'INVALID_REQUEST', 'INVALID_STRING_LENGTH');
      if (shop.products.has(id))
        return createErrorResponse(422, 'UNPROCESSABLE_ENTITY', 'DUPLICATE_RESOURCE_IDENTIFIER');
      shop.products.set(id, { ...told, id });
      shop.changes.push(`product ${id}`);
      return { status: 201, body: { ...told, id } };
    }
    if (call.path === '/v1/billing/plans') {
      if (!shop.products.has(told.product_id as string))
        return createErrorResponse(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
      const id = `P-${randomBytes(12).toString('hex').toUpperCase()}`;
      const plan = { status: 'ACTIVE', ...told, id };
      shop.plans.set(id, plan);
      shop.changes.push(`plan ${String(told.name)}`);
      return { status: 201, body: plan };
    }
    const { url, event_types } = told as { url: string; event_types: { name: string }[] };
    if (!url.startsWith('https://'))
      return createErrorResponse(400, 'VALIDATION_ERROR', 'Not a valid webhook URL');
    if ([...shop.webhooks.values()].some((one) => one.url === url))
      return createErrorResponse(400, 'WEBHOOK_URL_ALREADY_EXISTS', 'WEBHOOK_URL_ALREADY_EXISTS');
    const id = randomBytes(9).toString('hex').slice(0, 17).toUpperCase();
    shop.webhooks.set(id, { id, url, event_types });
    shop.changes.push(`webhook ${url}`);
    return { status: 201, body: shop.webhooks.get(id) };
  }

  function answer(call: Call): CatalogueResponse | null {
    const [, kind, id] =
      /^\/v1\/(catalogs\/products|billing\/plans|notifications\/webhooks)(?:\/([^/]+))?$/.exec(call.path) ??
      [];
    if (kind === undefined) return null;
    if (call.method === 'POST' && id === undefined) {
      const known = call.requestId === undefined ? undefined : answered.get(call.requestId);
      if (known !== undefined) return known;
      const done = make(call);
      if (call.requestId !== undefined && done !== 'lost' && done.status < 300)
        answered.set(call.requestId, done);
      if (shop.dropsResponseTo !== kind) return done;
      shop.dropsResponseTo = null;
      return 'lost';
    }
    if (call.method === 'PATCH' && kind === 'notifications/webhooks' && id !== undefined) {
      const webhook = shop.webhooks.get(id);
      if (webhook === undefined)
        return createErrorResponse(404, 'INVALID_RESOURCE_ID', 'INVALID_RESOURCE_ID');
      const [change] = JSON.parse(call.body) as { path: string; value: { name: string }[] }[];
      if (change?.path === '/event_types') webhook.event_types = change.value;
      shop.changes.push(`events of ${webhook.url}`);
      return { status: 200, body: webhook };
    }
    if (call.method !== 'GET')
      return createErrorResponse(405, 'METHOD_NOT_SUPPORTED', 'METHOD_NOT_SUPPORTED');
    if (id === undefined && kind === 'notifications/webhooks')
      return { status: 200, body: { webhooks: [...shop.webhooks.values()] } };
    if (id === undefined && kind === 'billing/plans') {
      const size = Number(call.query.get('page_size') ?? 10);
      const page = Number(call.query.get('page') ?? 1);
      const plans = [...shop.plans.values()]
        .filter((plan) => plan.product_id === call.query.get('product_id'))
        .slice((page - 1) * size, page * size)
        .map(toListRow);
      return { status: 200, body: { plans } };
    }
    const rows = kind === 'billing/plans' ? shop.plans : shop.products;
    const row = rows.get(id ?? '');
    return row === undefined
      ? createErrorResponse(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')
      : { status: 200, body: row };
  }
  return { shop, answer };
}
