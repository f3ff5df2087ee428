import TripsList from './trips-list';

export default function Page() {
  return <TripsList />;
}
