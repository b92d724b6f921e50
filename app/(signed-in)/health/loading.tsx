import { HealthSkeleton } from "./_components/health-skeleton";

export default HealthSkeleton;
