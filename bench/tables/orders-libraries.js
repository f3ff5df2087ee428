// Other libraries that sort and filter the orders of `nested.js` and `views.js`, in the page.
import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community';
import { desc, escape, table } from 'arquero';

/** @typedef {{ key: string, descending?: boolean }} Order */
/** @typedef {Readonly<Record<string, unknown>>} Filter conditions by path: `{ gte }`, or a value */

/**
 * @typedef {object} OrdersLibrary
 * @property {string} label
 * @property {(list: any[]) => void} load takes a list, in which an order that stays is the same object
 * @property {(orders: readonly Order[], filter: Filter) => void} show
 * @property {() => any[]} shown the orders that are shown
 * @property {() => void} close
 */

/**
 * The values by which orders are sorted and filtered, as an application reads them.
 *
 * @type {Readonly<Record<string, (order: any) => any>>}
 */
export const VALUES = {
  id: (order) => order.id,
  total: (order) => order.total,
  'shipping.address.city': (order) => order.shipping.address.city,
  number: (order) => order.number,
  'lines.length': (order) => order.lines.length,
};

/** arquero, over columns that are made of the orders as a list is loaded. @returns {OrdersLibrary} */
function arquero() {
  /** @type {any[]} */
  let list = [];
  /** @type {any} */
  let columns;
  /** @type {any} */
  let shown;
  return {
    label: 'arquero',
    load(next) {
      list = next;
      columns = table(Object.fromEntries(Object.entries(VALUES).map(([path, value]) => [path, list.map(value)])));
    },
    show(orders, filter) {
      shown = columns;
      const tests = Object.entries(filter);
      if (tests.length > 0) shown = shown.filter(escape((/** @type {any} */ row) => tests.every(([path, wanted]) => accepts(row[path], wanted))));
      if (orders.length > 0) shown = shown.orderby(...orders.map(({ key, descending }) => (descending ? desc(key) : key)));
      shown.indices();
    },
    shown: () => Array.from(shown.indices(), (/** @type {number} */ index) => list[index]),
    close() {},
  };
}

/** @param {any} value @param {any} wanted */
function accepts(value, wanted) {
  return typeof wanted === 'object' ? value >= wanted.gte : value === wanted;
}

/** The client-side row model of AG Grid, in a grid of 20 rows. @returns {OrdersLibrary} */
function agGrid() {
  ModuleRegistry.registerModules([AllCommunityModule]);
  const element = document.createElement('div');
  element.style.height = '600px';
  document.body.append(element);
  const api = createGrid(element, {
    columnDefs: Object.entries(VALUES).map(([path, value]) => ({
      colId: path,
      valueGetter: ({ data }) => value(data),
      filter: path === 'number' || path.endsWith('city') ? 'agTextColumnFilter' : 'agNumberColumnFilter',
    })),
    getRowId: ({ data }) => String(data.id),
    suppressColumnVirtualisation: true,
  });
  return {
    label: 'AG Grid',
    load: (list) => api.setGridOption('rowData', list),
    show(orders, filter) {
      const models = Object.entries(filter).map(([path, wanted]) => [path, modelOf(wanted)]);
      api.setFilterModel(Object.fromEntries(models));
      const state = orders.map(({ key, descending }, sortIndex) => ({
        colId: key,
        sort: descending ? /** @type {const} */ ('desc') : /** @type {const} */ ('asc'),
        sortIndex,
      }));
      api.applyColumnState({ state, defaultState: { sort: null } });
    },
    shown() {
      /** @type {any[]} */
      const list = [];
      api.forEachNodeAfterFilterAndSort(({ data }) => void list.push(data));
      return list;
    },
    close() {
      api.destroy();
      element.remove();
    },
  };
}

/** @param {any} wanted */
function modelOf(wanted) {
  if (typeof wanted === 'object') return { filterType: 'number', type: 'greaterThanOrEqual', filter: wanted.gte };
  return { filterType: 'text', type: 'equals', filter: wanted };
}

export const ORDERS_LIBRARIES = /** @type {const} */ ([arquero, agGrid]);
