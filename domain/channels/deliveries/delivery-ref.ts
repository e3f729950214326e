export interface DeliveryRef {
  workspaceId: number;
  deliveryId: number;
}
