import {
  createGrid,
  type GridApi,
  type IDatasource,
  InfiniteRowModelModule,
  type ISimpleFilterModel,
  ModuleRegistry,
  NumberFilterModule,
  type NumberFilterModel,
  type SortModelItem,
  TextFilterModule,
  type TextFilterModel,
} from 'ag-grid-community';
import { createDecoder, type RowCondition, type Rows } from 'unspool';
import type { Trip } from './trip.ts';

// The infinite row model is in AG Grid Community. The viewport and server-side row models need AG Grid Enterprise.
ModuleRegistry.registerModules([InfiniteRowModelModule, TextFilterModule, NumberFilterModule]);

const decoder = createDecoder();

/** The model of a grid's filters, by column. */
type FilterModel = Record<string, TextFilterModel | NumberFilterModel>;

/** Comparisons of `Rows` by the name of the grid's filter. */
const COMPARISONS = {
  contains: 'includes',
  equals: 'eq',
  notEqual: 'ne',
  lessThan: 'lt',
  lessThanOrEqual: 'lte',
  greaterThan: 'gt',
  greaterThanOrEqual: 'gte',
} as const;
const textOptions: ISimpleFilterModel['type'][] = ['contains', 'equals', 'notEqual'];
const numberOptions: ISimpleFilterModel['type'][] = ['equals', 'notEqual', 'lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'];

function conditionOf(model: FilterModel): RowCondition<Trip> {
  return Object.fromEntries(
    Object.entries(model).map(([key, { type, filter }]) => [key, { [COMPARISONS[type as keyof typeof COMPARISONS]]: filter }]),
  );
}

/** A source of blocks, which filters and sorts in slices once for each state of the grid. Only the rows of a block become objects. */
function datasourceOf(trips: Rows<Trip>): IDatasource {
  let state = '';
  let shown = Promise.resolve(trips);
  let change = new AbortController();

  async function update(filters: FilterModel, sorting: SortModelItem[], signal: AbortSignal): Promise<Rows<Trip>> {
    const matching = await trips.filter(conditionOf(filters), { signal });
    return await matching.sortBy(
      sorting.map(({ colId, sort }) => ({ key: colId as keyof Trip, descending: sort === 'desc' })),
      { signal },
    );
  }

  return {
    async getRows({ startRow, endRow, sortModel, filterModel, successCallback, failCallback }) {
      const next = JSON.stringify([sortModel, filterModel]);
      if (next !== state) {
        state = next;
        // A newer state cancels the one before.
        change.abort();
        change = new AbortController();
        shown = update(filterModel as FilterModel, sortModel, change.signal);
      }
      const { signal } = change;
      try {
        const rows = await shown;
        successCallback([...rows.slice(startRow, endRow)], rows.length);
      } catch (error) {
        failCallback();
        if (!signal.aborted) throw error;
      }
    },
  };
}

/** Loads trips into an element, as a grid that is sorted by a click on a header and filtered by the menu of a column. */
export async function showTable(container: HTMLElement, url: string): Promise<GridApi<Trip>> {
  const response = await decoder.fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const { trips } = await response.rows<{ trips: Trip[] }>();
  return createGrid<Trip>(container, {
    rowModelType: 'infinite',
    datasource: datasourceOf(trips),
    getRowId: ({ data }) => String(data.id),
    columnDefs: [
      { field: 'id' },
      { field: 'station', filter: 'agTextColumnFilter', filterParams: { filterOptions: textOptions, maxNumConditions: 1 } },
      { field: 'minutes', filter: 'agNumberColumnFilter', filterParams: { filterOptions: numberOptions, maxNumConditions: 1 } },
      { field: 'member', cellDataType: false },
    ],
  });
}
